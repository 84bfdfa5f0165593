// The host side: types, errors, memory, devices, streams, events, launches, arrays.
#include "check.hpp"
#include "g2o_runtime.hpp"
#include "g2o_arrays.hpp"
#include "g2o_blocks.hpp"
#include "g2o_devices.hpp"
#include "g2o_launches.hpp"
#include "g2o_math.hpp"

g2o::Error fail_in_second_unit();

static float coefficients[8];
static int *table;

static void vector_types()
{
    static_assert(dim3(4).x == 4 && dim3(4).y == 1 && dim3(2, 3).z == 1);
    static_assert(sizeof(dim3) == 12 && sizeof(uint3) == 12 && sizeof(float3) == 12);
    static_assert(alignof(char4) == 4 && alignof(uchar2) == 2 && alignof(char3) == 1);
    static_assert(alignof(short4) == 8 && alignof(int2) == 8 && alignof(int4) == 16);
    static_assert(alignof(float4) == 16 && alignof(double2) == 16 && alignof(double4) == 16);
    static_assert(alignof(long1) == 8 && sizeof(longlong3) == 24 && sizeof(ulonglong4) == 32);
    static_assert(make_float4(1, 2, 3, 4).w == 4 && make_uchar3(1, 2, 3).y == 2);
    dim3 block = 5;
    int n = 3;
    dim3 grid(n, n + 1);
    uint3 as_vector = grid;
    CHECK(block.x == 5 && as_vector.y == 4 && dim3(as_vector).x == 3);
}

static void errors()
{
    CHECK(g2o::get_last_error() == g2o::Success);
    CHECK(fail_in_second_unit() == g2o::ErrorInvalidValue);
    CHECK(g2o::device_synchronize() == g2o::Success);
    CHECK(g2o::peek_at_last_error() == g2o::ErrorInvalidValue);
    CHECK(g2o::get_last_error() == g2o::ErrorInvalidValue);
    CHECK(g2o::get_last_error() == g2o::Success);
    CHECK(std::strcmp(g2o::get_error_string(g2o::ErrorInvalidValue), "invalid argument") == 0);
    CHECK(std::strcmp(g2o::get_error_string(g2o::Success), "no error") == 0);
    CHECK(std::strcmp(g2o::get_error_name(g2o::ErrorNotReady), "cudaErrorNotReady") == 0);
    CHECK(std::strcmp(g2o::get_error_string(g2o::Error(12345)), "unrecognized error code") == 0);
    CHECK(g2o::ErrorUnknown == 999 && g2o::ErrorInvalidDevice == 101);
}

static void memory()
{
    float *x;
    const int *constant;
    CHECK(g2o::malloc(&x, std::size_t(-1)) == g2o::ErrorMemoryAllocation && x == nullptr);
    CHECK(g2o::malloc(&x, std::size_t(-1) / 2) == g2o::ErrorMemoryAllocation);
    CHECK(g2o::get_last_error() == g2o::ErrorMemoryAllocation);
    CHECK(g2o::malloc((void **)&x, 100) == g2o::Success);
    CHECK(reinterpret_cast<std::uintptr_t>(x) % 256 == 0);
    CHECK(g2o::malloc(&constant, 4) == g2o::Success && g2o::free((void *)constant) == g2o::Success);
    float host[25] = {1, 2, 3};
    CHECK(g2o::memcpy(x, host, 100, g2o::MemcpyHostToDevice) == g2o::Success && x[2] == 3);
    CHECK(g2o::memcpy(nullptr, host, 4, g2o::MemcpyHostToDevice) == g2o::ErrorInvalidValue);
    CHECK(g2o::memcpy(x, nullptr, 4, g2o::MemcpyHostToDevice) == g2o::ErrorInvalidValue);
    CHECK(g2o::memcpy(nullptr, nullptr, 0, g2o::MemcpyHostToDevice) == g2o::Success);
    CHECK(g2o::memcpy(x, host, 4, g2o::MemcpyKind(7)) == g2o::ErrorInvalidMemcpyDirection);
    CHECK(g2o::memset(x, 0xff, 8) == g2o::Success && x[0] != x[0] && x[2] == 3);
    CHECK(g2o::memset(nullptr, 0, 8) == g2o::ErrorInvalidValue);
    CHECK(g2o::memset_async(x, 0, 100, 0) == g2o::Success && x[0] == 0 && x[2] == 0);
    CHECK(g2o::memcpy_async(host, x, 100, g2o::MemcpyDefault) == g2o::Success && host[1] == 0);
    CHECK(g2o::free(x) == g2o::Success && g2o::free(nullptr) == g2o::Success);
    CHECK(g2o::free(x) == g2o::ErrorInvalidValue); // as on a device, where nothing else happens

    std::size_t pitch;
    char *rows;
    CHECK(g2o::malloc_pitch(&rows, &pitch, 10, 3) == g2o::Success && pitch >= 10);
    CHECK(g2o::memset_2d(rows, pitch, 'a', 10, 3) == g2o::Success && rows[2 * pitch + 9] == 'a');
    char packed[30];
    CHECK(g2o::memcpy_2d(packed, 10, rows, pitch, 10, 3, g2o::MemcpyDeviceToHost) == g2o::Success);
    CHECK(packed[0] == 'a' && packed[29] == 'a');
    CHECK(g2o::memcpy_2d(packed, 9, rows, pitch, 10, 3, g2o::MemcpyDeviceToHost) ==
          g2o::ErrorInvalidPitchValue);
    CHECK(g2o::free(rows) == g2o::Success);

    const float source[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    CHECK(g2o::memcpy_to_symbol(coefficients, source, sizeof source) == g2o::Success);
    float part[2];
    CHECK(g2o::memcpy_from_symbol(part, coefficients, 8, 12) == g2o::Success && part[1] == 4);
    CHECK(g2o::memcpy_to_symbol(coefficients, source, 8, 28) == g2o::ErrorInvalidValue);
    int entries[4];
    int *pointer = entries;
    CHECK(g2o::memcpy_to_symbol(table, &pointer, sizeof pointer) == g2o::Success);
    CHECK(table == entries);
    void *address;
    std::size_t bytes;
    CHECK(g2o::get_symbol_address(&address, coefficients) == g2o::Success);
    CHECK(address == coefficients);
    CHECK(g2o::get_symbol_size(&bytes, coefficients) == g2o::Success && bytes == 32);

    double *managed;
    CHECK(g2o::malloc_managed(&managed, 80) == g2o::Success);
    CHECK(g2o::mem_prefetch_async(managed, 80, 0) == g2o::Success);
    CHECK(g2o::mem_prefetch_async(managed, 80, g2o::CpuDeviceId, 0) == g2o::Success);
    CHECK(g2o::mem_advise(managed, 80, g2o::MemAdviseSetReadMostly, 0) == g2o::Success);
    g2o::PointerAttributes attributes;
    CHECK(g2o::pointer_get_attributes(&attributes, managed) == g2o::Success);
    CHECK(attributes.devicePointer == managed);
    CHECK(g2o::free_async(managed, nullptr) == g2o::Success);
    int *pinned, *mapped;
    CHECK(g2o::host_alloc((void **)&pinned, 4, g2o::HostAllocMapped) == g2o::Success);
    CHECK(g2o::host_get_device_pointer(&mapped, pinned, 0) == g2o::Success && mapped == pinned);
    CHECK(g2o::free_host(pinned) == g2o::Success);
    std::size_t available, total;
    CHECK(g2o::mem_get_info(&available, &total) == g2o::Success && 0 < available);
    CHECK(available <= total);
    g2o::get_last_error();
}

static void boxes()
{
    // 4 x 3 x 2 bytes, then a 2 x 2 x 1 box of them into an array of chars.
    g2o::PitchedPtr memory;
    CHECK(g2o::malloc_3d(&memory, g2o::make_extent(4, 3, 2)) == g2o::Success);
    CHECK(g2o::memset_3d(memory, 0, g2o::make_extent(4, 3, 2)) == g2o::Success);
    char *bytes = static_cast<char *>(memory.ptr);
    bytes[(1 * 3 + 1) * memory.pitch + 2] = 42; // z 1, y 1, x 2
    g2o::Array array;
    g2o::ChannelFormatDesc desc = g2o::create_channel_desc<char>();
    CHECK(g2o::malloc_3d_array(&array, &desc, g2o::make_extent(4, 4, 4)) == g2o::Success);
    g2o::Memcpy3DParms copy = {};
    copy.srcPtr = memory;
    copy.srcPos = g2o::make_pos(1, 1, 1);
    copy.dstArray = array;
    copy.dstPos = g2o::make_pos(0, 0, 3);
    copy.extent = g2o::make_extent(2, 2, 1);
    copy.kind = g2o::MemcpyDeviceToDevice;
    CHECK(g2o::memcpy_3d(&copy) == g2o::Success);
    char byte = 0;
    CHECK(g2o::memcpy_from_array(&byte, array, 1, 3 * 4, 1, g2o::MemcpyDeviceToHost) ==
          g2o::Success);
    CHECK(byte == 42);
    CHECK(g2o::free_array(array) == g2o::Success && g2o::free(memory.ptr) == g2o::Success);
}

static void devices()
{
    int count, device = 7, value;
    CHECK(g2o::get_device_count(&count) == g2o::Success && count == 1);
    CHECK(g2o::set_device(0) == g2o::Success);
    CHECK(g2o::set_device(1) == g2o::ErrorInvalidDevice);
    CHECK(g2o::get_device(&device) == g2o::Success && device == 0);
    struct g2o::DeviceProp properties;
    CHECK(g2o::get_device_properties(&properties, 0) == g2o::Success);
    CHECK(properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024);
    CHECK(properties.sharedMemPerBlock == 49152 && properties.multiProcessorCount >= 1);
    CHECK(properties.totalGlobalMem > 0 && std::strlen(properties.name) > 0);
    CHECK(g2o::get_device_properties(&properties, 1) == g2o::ErrorInvalidDevice);
    CHECK(g2o::device_get_attribute(&value, g2o::DevAttrMaxBlockDimZ, 0) == g2o::Success);
    CHECK(value == 64);
    CHECK(g2o::device_get_attribute(&value, g2o::DeviceAttr(9999), 0) == g2o::ErrorInvalidValue);
    CHECK(g2o::device_set_limit(g2o::LimitStackSize, 4096) == g2o::Success);
    std::size_t limit;
    CHECK(g2o::device_get_limit(&limit, g2o::LimitStackSize) == g2o::Success && limit == 4096);
    CHECK(g2o::device_can_access_peer(&value, 0, 0) == g2o::Success && value == 0);
    char id[16];
    CHECK(g2o::device_get_pci_bus_id(id, 16, 0) == g2o::Success && std::strlen(id) == 12);
    CHECK(g2o::runtime_get_version(&value) == g2o::Success && value >= 11000);
    g2o::get_last_error();
}

static void on_callback(g2o::Stream, g2o::Error status, void *data)
{
    *static_cast<int *>(data) += status == g2o::Success ? 1 : 100;
}

static void on_host(void *data) { *static_cast<int *>(data) += 10; }

static void streams_and_events()
{
    // Unqualified calls of the C library must not find g2o's functions through g2o's types.
    g2o::Stream *streams = (g2o::Stream *)malloc(2 * sizeof(g2o::Stream));
    memset(streams, 0, 2 * sizeof(g2o::Stream));
    CHECK(g2o::stream_create(&streams[0]) == g2o::Success);
    CHECK(g2o::stream_create_with_flags(&streams[1], g2o::StreamNonBlocking) == g2o::Success);
    int calls = 0;
    CHECK(g2o::stream_add_callback(streams[0], on_callback, &calls, 0) == g2o::Success);
    CHECK(g2o::launch_host_func(streams[0], on_host, &calls) == g2o::Success && calls == 11);
    unsigned flags;
    CHECK(g2o::stream_get_flags(streams[1], &flags) == g2o::Success);
    CHECK(flags == g2o::StreamNonBlocking);
    CHECK(g2o::stream_query(g2o::StreamPerThread) == g2o::Success);
    CHECK(g2o::stream_get_flags(g2o::StreamPerThread, &flags) == g2o::Success && flags == 0);
    CHECK(g2o::stream_synchronize(0) == g2o::Success);
    g2o::Event start, stop;
    float milliseconds = -1;
    CHECK(g2o::event_create(&start) == g2o::Success);
    CHECK(g2o::event_create(&stop) == g2o::Success);
    CHECK(g2o::event_record(start, streams[0]) == g2o::Success);
    CHECK(g2o::event_elapsed_time(&milliseconds, start, stop) == g2o::ErrorInvalidResourceHandle);
    const long long before = g2o::clock64();
    g2o::nanosleep(3000000);
    CHECK(g2o::clock64() - before >= 3000000);
    CHECK(g2o::event_record(stop) == g2o::Success && g2o::event_synchronize(stop) == g2o::Success);
    CHECK(g2o::event_elapsed_time(&milliseconds, start, stop) == g2o::Success);
    CHECK(milliseconds >= 3.0f && milliseconds < 3000.0f);
    CHECK(g2o::stream_wait_event(streams[0], stop) == g2o::Success);
    CHECK(g2o::event_destroy(start) == g2o::Success && g2o::event_destroy(stop) == g2o::Success);
    CHECK(g2o::stream_destroy(streams[0]) == g2o::Success);
    CHECK(g2o::stream_destroy(streams[1]) == g2o::Success);
    CHECK(g2o::stream_destroy(nullptr) == g2o::ErrorInvalidResourceHandle);
    free(streams);
    g2o::get_last_error();
}

static void scale(dim3 grid, dim3 block, float *x, const float factor, int n)
{
    for (int i = 0; i < std::min(n, int(grid.x * block.x)); ++i)
        x[i] *= factor;
}

template <class T> void fill(dim3, dim3, std::size_t shared_bytes, T *x, const T &value)
{
    x[0] = value;
    x[1] = T(shared_bytes);
}

static void sized(dim3, dim3, std::size_t n, std::size_t *out) { *out = n; }

static void arrays_apart()
{
    int cells[32] = {}, *x = cells + 8;
    CHECK(g2o::apart(8, x, x, x + 8, x - 8, static_cast<int *>(nullptr)));
    CHECK(!g2o::apart(8, x, x + 7) && !g2o::apart(8, x, x + 8, x - 1));
    CHECK(g2o::apart(-1, x, x + 1) && g2o::apart(sizeof(char), x, x + 1));
}

static void launches()
{
    float values[4] = {1, 2, 3, 4}, factor = 2;
    float *x = values;
    int n = 3;
    void *arguments[] = {&x, &factor, &n};
    CHECK(g2o::launch_kernel(scale, 2, 32, arguments, 0, nullptr) == g2o::Success);
    CHECK(values[2] == 6 && values[3] == 4);
    void *fill_arguments[] = {&x, &factor};
    CHECK(g2o::launch_kernel(fill<float>, dim3(1), dim3(8), fill_arguments, 64) == g2o::Success);
    CHECK(values[0] == 2 && values[1] == 64);
    std::size_t size = 9, copied = 0, *out = &copied;
    void *sized_arguments[] = {&size, &out};
    CHECK(g2o::launch_static_kernel(sized, 1, 1, sized_arguments) == g2o::Success && copied == 9);
    CHECK(g2o::launch_kernel(scale, 1, 2048, arguments) == g2o::ErrorInvalidConfiguration);
    CHECK(g2o::launch_cooperative_kernel(scale, 1, 1, arguments) == g2o::Success);
    void (*pointer)(dim3, dim3, std::size_t, std::size_t *) = sized;
    g2o::launch(pointer, 1, 1, 0, size_t(5), &copied);
    CHECK(copied == 5);
    void (*shared_pointer)(dim3, dim3, std::size_t, float *, const float &) = fill<float>;
    g2o::launch(shared_pointer, 1, dim3(8), 32, x, 3.0f);
    CHECK(values[0] == 3 && values[1] == 32);
    int grid_size, block_size, blocks;
    CHECK(g2o::occupancy_max_potential_block_size(&grid_size, &block_size, scale) == g2o::Success);
    CHECK(grid_size > 0 && block_size % 32 == 0);
    CHECK(g2o::occupancy_max_active_blocks_per_multiprocessor(&blocks, fill<int>, 256, 32768) ==
          g2o::Success);
    CHECK(blocks == 5);
    CHECK(g2o::func_set_attribute(fill<float>, g2o::FuncAttributeMaxDynamicSharedMemorySize,
                                  65536) == g2o::Success);
    g2o::FuncAttributes attributes;
    CHECK(g2o::func_get_attributes(&attributes, scale) == g2o::Success);
    CHECK(attributes.maxThreadsPerBlock == 1024);
    g2o::get_last_error();
}

int main()
{
    vector_types();
    errors();
    memory();
    boxes();
    devices();
    streams_and_events();
    launches();
    arrays_apart();
    return finish();
}
