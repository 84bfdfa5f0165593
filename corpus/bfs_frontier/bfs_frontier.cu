// Breadth-first search, level by level, on a graph in CSR form.
//
// expand:  every node of the frontier marks its unvisited neighbours.
// advance: marked nodes get their level and become the next frontier.
// The host repeats the two until a round has marked nothing.
//
// usage: bfs_frontier [nodes] [edges per node]

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_THREADS_PER_BLOCK 256
#define UNREACHED (-1)

#define CHECK(x) check_status((x), #x, __LINE__)

static void check_status(cudaError_t status, const char *text, int line)
{
	if (status == cudaSuccess)
		return;
	fprintf(stderr, "line %d: %s gives \"%s\"\n", line, text, cudaGetErrorString(status));
	exit(1);
}

/* Where the edges of a node start and how many there are. */
struct Node {
	int first_edge;
	int edge_count;
};

__global__ void expand(const Node *nodes, const int *edges, bool *frontier, const bool *visited,
		       int *marked, int node_count)
{
	int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;
	if (tid < node_count && frontier[tid]) {
		frontier[tid] = false;
		Node node = nodes[tid];
		for (int e = node.first_edge; e < node.first_edge + node.edge_count; e++) {
			int neighbour = edges[e];
			// Several nodes may mark the same neighbour in one round.
			if (!visited[neighbour])
				atomicExch(&marked[neighbour], 1);
		}
	}
}

__global__ void advance(bool *frontier, bool *visited, int *marked, int *level, int depth,
			int *again, int node_count)
{
	int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;
	if (tid < node_count && marked[tid]) {
		marked[tid] = 0;
		visited[tid] = true;
		frontier[tid] = true;
		level[tid] = depth;
		atomicOr(again, 1);
	}
}

/* Plain queue-based search. */
static void serial_bfs(const Node *nodes, const int *edges, int *level, int node_count, int source)
{
	int *queue = (int *)malloc(node_count * sizeof(int));
	int head = 0, tail = 0;
	for (int i = 0; i < node_count; i++)
		level[i] = UNREACHED;
	level[source] = 0;
	queue[tail++] = source;
	while (head < tail) {
		int u = queue[head++];
		for (int e = 0; e < nodes[u].edge_count; e++) {
			int v = edges[nodes[u].first_edge + e];
			if (level[v] == UNREACHED) {
				level[v] = level[u] + 1;
				queue[tail++] = v;
			}
		}
	}
	free(queue);
}

int main(int argc, char **argv)
{
	int node_count = argc > 1 ? atoi(argv[1]) : 2000;
	int degree = argc > 2 ? atoi(argv[2]) : 3;
	if (node_count < 2 || degree < 1) {
		fprintf(stderr, "usage: %s [nodes] [edges per node]\n", argv[0]);
		return 2;
	}

	/* Random graph: between 0 and 2 * degree - 1 edges out of every node. */
	Node *nodes = (Node *)malloc(node_count * sizeof(Node));
	int *edges = (int *)malloc((size_t)node_count * 2 * degree * sizeof(int));
	unsigned long long seed = 7;
	int edge_count = 0;
	for (int i = 0; i < node_count; i++) {
		seed = seed * 6364136223846793005ull + 1442695040888963407ull;
		nodes[i].first_edge = edge_count;
		nodes[i].edge_count = i == 0 ? degree : (int)((seed >> 33) % (2u * degree));
		for (int e = 0; e < nodes[i].edge_count; e++) {
			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			edges[edge_count++] = (int)((seed >> 33) % (unsigned)node_count);
		}
	}

	const int source = 0;
	int *level = (int *)malloc(node_count * sizeof(int));
	int *expected = (int *)malloc(node_count * sizeof(int));
	bool *flags = (bool *)malloc(node_count * sizeof(bool));
	for (int i = 0; i < node_count; i++)
		level[i] = UNREACHED;
	level[source] = 0;
	memset(flags, 0, node_count * sizeof(bool));
	flags[source] = true;

	Node *d_nodes;
	int *d_edges, *d_level, *d_marked, *d_again;
	bool *d_frontier, *d_visited;
	CHECK(cudaMalloc((void **)&d_nodes, node_count * sizeof(Node)));
	CHECK(cudaMalloc((void **)&d_edges, edge_count * sizeof(int)));
	CHECK(cudaMalloc((void **)&d_level, node_count * sizeof(int)));
	CHECK(cudaMalloc((void **)&d_marked, node_count * sizeof(int)));
	CHECK(cudaMalloc((void **)&d_again, sizeof(int)));
	CHECK(cudaMalloc((void **)&d_frontier, node_count * sizeof(bool)));
	CHECK(cudaMalloc((void **)&d_visited, node_count * sizeof(bool)));
	CHECK(cudaMemcpy(d_nodes, nodes, node_count * sizeof(Node), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(d_edges, edges, edge_count * sizeof(int), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(d_level, level, node_count * sizeof(int), cudaMemcpyHostToDevice));
	CHECK(cudaMemset(d_marked, 0, node_count * sizeof(int)));
	CHECK(cudaMemcpy(d_frontier, flags, node_count * sizeof(bool), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(d_visited, flags, node_count * sizeof(bool), cudaMemcpyHostToDevice));

	cudaEvent_t start, stop;
	CHECK(cudaEventCreate(&start));
	CHECK(cudaEventCreate(&stop));
	CHECK(cudaEventRecord(start));

	dim3 grid((node_count + MAX_THREADS_PER_BLOCK - 1) / MAX_THREADS_PER_BLOCK, 1, 1);
	dim3 threads(MAX_THREADS_PER_BLOCK, 1, 1);
	int depth = 0, again;
	do {
		depth++;
		again = 0;
		CHECK(cudaMemcpy(d_again, &again, sizeof(int), cudaMemcpyHostToDevice));
		expand<<<grid, threads, 0>>>(d_nodes, d_edges, d_frontier, d_visited, d_marked,
					     node_count);
		advance<<<grid, threads, 0>>>(d_frontier, d_visited, d_marked, d_level, depth,
					      d_again, node_count);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpy(&again, d_again, sizeof(int), cudaMemcpyDeviceToHost));
	} while (again);

	CHECK(cudaEventRecord(stop));
	CHECK(cudaEventSynchronize(stop));
	float ms;
	CHECK(cudaEventElapsedTime(&ms, start, stop));
	CHECK(cudaMemcpy(level, d_level, node_count * sizeof(int), cudaMemcpyDeviceToHost));

	serial_bfs(nodes, edges, expected, node_count, source);
	int reached = 0, wrong = 0;
	long long level_sum = 0;
	for (int i = 0; i < node_count; i++) {
		wrong += level[i] != expected[i];
		if (level[i] != UNREACHED) {
			reached++;
			level_sum += level[i];
		}
	}
	printf("edges %d\nrounds %d\nreached %d\nlevel_sum %lld\n", edge_count, depth, reached,
	       level_sum);
	printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
	printf("time_ms %.3f\n", ms);

	cudaEventDestroy(start);
	cudaEventDestroy(stop);
	cudaFree(d_nodes);
	cudaFree(d_edges);
	cudaFree(d_level);
	cudaFree(d_marked);
	cudaFree(d_again);
	cudaFree(d_frontier);
	cudaFree(d_visited);
	free(nodes);
	free(edges);
	free(level);
	free(expected);
	free(flags);
	return wrong != 0;
}
