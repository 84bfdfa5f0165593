// Byte statistics of a buffer with atomics on global memory: a histogram, the position of the first
// occurrence and of the last occurrence of each byte value.
//
// usage: histogram_global [bytes]

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

#define SIZE 256

typedef unsigned char uchar;

static void handle(cudaError_t err, const char *what)
{
	if (err != cudaSuccess) {
		fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(err));
		exit(EXIT_FAILURE);
	}
}

__global__ void count_bytes(const uchar *buffer, unsigned int size, unsigned int *histo)
{
	unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
	unsigned int offset = blockDim.x * gridDim.x;
	while (i < size) {
		atomicAdd(&histo[buffer[i]], 1);
		i += offset;
	}
}

/* One thread for each byte; the extremes do not depend on the order of the updates. */
__global__ void find_extremes(const uchar *buffer, unsigned int size, unsigned int *first,
			      unsigned int *last)
{
	unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
	if (i >= size)
		return;
	uchar byte = buffer[i];
	atomicMin(first + byte, i);	/* index of the byte itself */
	atomicMax(last + byte, i + 1);	/* one past it, 0 stands for "never" */
}

int main(int argc, char **argv)
{
	unsigned int size = 20000;
	if (argc > 1)
		size = (unsigned int)strtoul(argv[1], NULL, 10);

	uchar *buffer = (uchar *)malloc(size);
	unsigned int seed = 77;
	for (unsigned int i = 0; i < size; i++) {
		seed = seed * 1103515245u + 12345u;
		/* Squares of 4-bit numbers are sparse: most of the bins stay empty. */
		unsigned int nibble = (seed >> 20) & 15u;
		buffer[i] = (uchar)(nibble * nibble);
	}

	uchar *dev_buffer;
	unsigned int *dev_histo, *dev_first, *dev_last;
	const size_t table_bytes = SIZE * sizeof(unsigned int);
	handle(cudaMalloc((void **)&dev_buffer, size), "malloc buffer");
	handle(cudaMalloc((void **)&dev_histo, table_bytes), "malloc histogram");
	handle(cudaMalloc((void **)&dev_first, table_bytes), "malloc first");
	handle(cudaMalloc((void **)&dev_last, table_bytes), "malloc last");
	handle(cudaMemcpy(dev_buffer, buffer, size, cudaMemcpyHostToDevice), "copy buffer");
	handle(cudaMemset(dev_histo, 0, table_bytes), "clear histogram");
	handle(cudaMemset(dev_first, 0xff, table_bytes), "clear first");
	handle(cudaMemset(dev_last, 0, table_bytes), "clear last");

	cudaEvent_t start, stop;
	handle(cudaEventCreate(&start), "event");
	handle(cudaEventCreate(&stop), "event");
	handle(cudaEventRecord(start, 0), "record");
	count_bytes<<<32, 256>>>(dev_buffer, size, dev_histo);
	find_extremes<<<(size + 255) / 256, 256>>>(dev_buffer, size, dev_first, dev_last);
	handle(cudaEventRecord(stop, 0), "record");
	handle(cudaEventSynchronize(stop), "kernels");
	float ms;
	handle(cudaEventElapsedTime(&ms, start, stop), "elapsed");

	unsigned int histo[SIZE], first[SIZE], last[SIZE];
	handle(cudaMemcpy(histo, dev_histo, table_bytes, cudaMemcpyDeviceToHost), "copy back");
	handle(cudaMemcpy(first, dev_first, table_bytes, cudaMemcpyDeviceToHost), "copy back");
	handle(cudaMemcpy(last, dev_last, table_bytes, cudaMemcpyDeviceToHost), "copy back");

	/* Serial count of the same things. */
	unsigned int ref_histo[SIZE], ref_first[SIZE], ref_last[SIZE];
	memset(ref_histo, 0, table_bytes);
	memset(ref_first, 0xff, table_bytes);
	memset(ref_last, 0, table_bytes);
	for (unsigned int i = 0; i < size; i++) {
		uchar byte = buffer[i];
		ref_histo[byte]++;
		if (ref_first[byte] > i)
			ref_first[byte] = i;
		ref_last[byte] = i + 1;
	}
	int ok = memcmp(histo, ref_histo, table_bytes) == 0 &&
		 memcmp(first, ref_first, table_bytes) == 0 &&
		 memcmp(last, ref_last, table_bytes) == 0;

	unsigned int used = 0, spread = 0;
	unsigned long total = 0;
	for (int b = 0; b < SIZE; b++) {
		total += histo[b];
		if (histo[b] == 0)
			continue;
		used++;
		spread ^= last[b] - first[b];
	}

	printf("time_ms %.3f\n", ms);
	printf("total %lu\n", total);
	printf("used %u\n", used);
	printf("spread %u\n", spread);
	printf("%s\n", ok ? "PASS" : "FAIL");

	handle(cudaEventDestroy(start), "event");
	handle(cudaEventDestroy(stop), "event");
	handle(cudaFree(dev_buffer), "free");
	handle(cudaFree(dev_histo), "free");
	handle(cudaFree(dev_first), "free");
	handle(cudaFree(dev_last), "free");
	free(buffer);
	return ok ? 0 : 1;
}
