// Textures, random numbers and half precision. Samples and conversions are printed for a reference.
#include "check.hpp"
#include "g2o_runtime.hpp"
#include "g2o_arrays.hpp"
#include "g2o_half.hpp"
#include "g2o_math.hpp"
#include "g2o_random.hpp"
#include "g2o_textures.hpp"

static g2o::TextureObject make_texture(const g2o::ResourceDesc &resource,
                                       g2o::TextureFilterMode filter, g2o::TextureAddressMode mode,
                                       bool normalised,
                                       g2o::TextureReadMode read = g2o::ReadModeElementType)
{
    g2o::TextureDesc sampling;
    memset(&sampling, 0, sizeof sampling);
    sampling.addressMode[0] = sampling.addressMode[1] = sampling.addressMode[2] = mode;
    sampling.filterMode = filter;
    sampling.readMode = read;
    sampling.normalizedCoords = normalised;
    sampling.borderColor[0] = -1;
    g2o::TextureObject texture = 0;
    CHECK(g2o::create_texture_object(&texture, &resource, &sampling, nullptr) == g2o::Success);
    return texture;
}

static void linear_memory()
{
    const int2 elements[] = {{1, 2}, {3, 4}, {5, 6}};
    g2o::ResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = g2o::ResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<int2 *>(elements);
    resource.res.linear.desc = g2o::create_channel_desc<int2>();
    resource.res.linear.sizeInBytes = sizeof elements;
    g2o::TextureObject texture =
        make_texture(resource, g2o::FilterModePoint, g2o::AddressModeClamp, false);
    CHECK(g2o::tex1Dfetch<int2>(texture, 1).y == 4 && g2o::tex1Dfetch<int2>(texture, 2).x == 5);
    CHECK(g2o::tex1Dfetch<int2>(texture, 3).x == 0 && g2o::tex1Dfetch<int2>(texture, -1).y == 0);
    CHECK(g2o::destroy_texture_object(texture) == g2o::Success);

    const unsigned char bytes[] = {0, 51, 255};
    resource.res.linear.devPtr = const_cast<unsigned char *>(bytes);
    resource.res.linear.desc = g2o::create_channel_desc(8, 0, 0, 0, g2o::ChannelFormatKindUnsigned);
    resource.res.linear.sizeInBytes = 3;
    texture = make_texture(resource, g2o::FilterModePoint, g2o::AddressModeClamp, false,
                           g2o::ReadModeNormalizedFloat);
    CHECK(g2o::tex1Dfetch<float>(texture, 1) == 0.2f && g2o::tex1Dfetch<float>(texture, 2) == 1);
    CHECK(g2o::destroy_texture_object(texture) == g2o::Success);
    CHECK(g2o::create_texture_object(&texture, nullptr, nullptr) == g2o::ErrorInvalidValue);
    g2o::get_last_error();
}

static void arrays()
{
    // 4 x 3 elements with the value 10 y + x.
    float values[3][4];
    for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 4; ++x)
            values[y][x] = float(10 * y + x);
    }
    g2o::Array array;
    const g2o::ChannelFormatDesc desc = g2o::create_channel_desc<float>();
    CHECK(g2o::malloc_array(&array, &desc, 4, 3) == g2o::Success);
    CHECK(g2o::memcpy_2d_to_array(array, 0, 0, values, 16, 16, 3, g2o::MemcpyHostToDevice) ==
          g2o::Success);
    g2o::ResourceDesc resource = {};
    resource.resType = g2o::ResourceTypeArray;
    resource.res.array.array = array;

    g2o::TextureObject t =
        make_texture(resource, g2o::FilterModePoint, g2o::AddressModeClamp, false);
    CHECK(g2o::tex2D<float>(t, 2.9f, 1.1f) == 12 && g2o::tex2D<float>(t, -5, 9) == 20);
    g2o::destroy_texture_object(t);
    t = make_texture(resource, g2o::FilterModePoint, g2o::AddressModeBorder, false);
    CHECK(g2o::tex2D<float>(t, 3.5f, 2.5f) == 23 && g2o::tex2D<float>(t, 4.5f, 0.5f) == -1);
    g2o::destroy_texture_object(t);
    t = make_texture(resource, g2o::FilterModeLinear, g2o::AddressModeClamp, false);
    CHECK(g2o::tex2D<float>(t, 1.5f, 1.5f) == 11); // the centre of element (1, 1)
    CHECK(g2o::tex2D<float>(t, 2.0f, 1.5f) == 11.5f && g2o::tex2D<float>(t, 2.0f, 2.0f) == 16.5f);
    CHECK(g2o::tex2D<float>(t, 0.0f, 0.0f) == 0 && g2o::tex2D<float>(t, 9.0f, 2.75f) == 23);
    g2o::destroy_texture_object(t);
    t = make_texture(resource, g2o::FilterModePoint, g2o::AddressModeWrap, true);
    CHECK(g2o::tex2D<float>(t, 1.375f, -0.5f) == 11 && g2o::tex2D<float>(t, 0.99f, 0.99f) == 23);
    g2o::destroy_texture_object(t);
    t = make_texture(resource, g2o::FilterModePoint, g2o::AddressModeMirror, true);
    CHECK(g2o::tex2D<float>(t, 1.125f, 0.1f) == 3 && g2o::tex2D<float>(t, -0.3f, 0.1f) == 1);
    g2o::destroy_texture_object(t);
    float back[12];
    CHECK(g2o::memcpy_2d_from_array(back, 16, array, 0, 0, 16, 3, g2o::MemcpyDeviceToHost) ==
          g2o::Success);
    CHECK(back[11] == 23);
    CHECK(g2o::free_array(array) == g2o::Success);
}

static void volumes()
{
    uchar4 voxels[2][2][2];
    for (int i = 0; i < 8; ++i)
        voxels[i / 4][i / 2 % 2][i % 2] = make_uchar4((unsigned char)(i), 255, 0, 51);
    g2o::Array array;
    const g2o::ChannelFormatDesc desc = g2o::create_channel_desc<uchar4>();
    CHECK(g2o::malloc_3d_array(&array, &desc, g2o::make_extent(2, 2, 2)) == g2o::Success);
    g2o::Memcpy3DParms copy = {};
    copy.srcPtr = g2o::make_pitched_ptr(voxels, 8, 2, 2);
    copy.dstArray = array;
    copy.extent = g2o::make_extent(2, 2, 2);
    copy.kind = g2o::MemcpyHostToDevice;
    CHECK(g2o::memcpy_3d(&copy) == g2o::Success);
    g2o::ResourceDesc resource = {};
    resource.resType = g2o::ResourceTypeArray;
    resource.res.array.array = array;
    g2o::TextureObject t =
        make_texture(resource, g2o::FilterModePoint, g2o::AddressModeClamp, false);
    CHECK(g2o::tex3D<uchar4>(t, 1.5f, 0.5f, 1.5f).x == 5);
    CHECK(g2o::tex2DLayered<uchar4>(t, 0.5f, 1.5f, 1).x == 6);
    g2o::destroy_texture_object(t);
    t = make_texture(resource, g2o::FilterModeLinear, g2o::AddressModeClamp, true,
                     g2o::ReadModeNormalizedFloat);
    const float4 middle = g2o::tex3D<float4>(t, 0.5f, 0.5f, 0.5f);
    CHECK(fabsf(middle.x - 3.5f / 255) < 1e-6f && middle.y == 1 && fabsf(middle.w - 0.2f) < 1e-6f);
    g2o::destroy_texture_object(t);
    g2o::free_array(array);
}

template <class State> static void show_samples(const char *name)
{
    const int streams = 64, draws = 1000;
    for (int i = 0; i < streams; ++i) {
        State state;
        g2o::curand_init(1234, i, 0, &state);
        for (int k = 0; k < draws; ++k) {
            std::printf("%s %.9g %.17g %.9g %.17g %u\n", name, double(g2o::curand_uniform(&state)),
                        g2o::curand_uniform_double(&state), double(g2o::curand_normal(&state)),
                        g2o::curand_normal_double(&state),
                        g2o::curand_poisson(&state, k % 2 ? 3.0 : 50.0));
        }
    }
}

static void random_numbers()
{
    // Known answers of the authors of Philox (Random123, philox4x32-10).
    unsigned counter[4] = {}, key[2] = {}, block[4];
    g2o::detail::philox_block(counter, key, block);
    CHECK(block[0] == 0x6627e8d5 && block[1] == 0xe169c58d);
    CHECK(block[2] == 0xbc57ac4c && block[3] == 0x9b00dbd8);
    const unsigned pi_counter[4] = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344};
    const unsigned pi_key[2] = {0xa4093822, 0x299f31d0};
    g2o::detail::philox_block(pi_counter, pi_key, block);
    CHECK(block[0] == 0xd16cfe09 && block[1] == 0x94fdcceb);
    CHECK(block[2] == 0x5001e420 && block[3] == 0x24126ea1);

    // The state of Marsaglia's listing, printed for a reference.
    g2o::curandState marsaglia = {123456789, 362436069, 521288629, 88675123, 5783321, 6615241, {}};
    for (int i = 0; i < 5; ++i)
        std::printf("xorwow %u\n", g2o::curand(&marsaglia));

    // An offset continues the same stream.
    g2o::curandState a, b, far;
    g2o::curandStatePhilox4_32_10_t c, d;
    g2o::curand_init(7, 3, 0, &a);
    g2o::curand_init(7, 3, 10, &b);
    g2o::curand_init(7, 3, 1ull << 40, &far);
    g2o::curand_init(7, 3, 0, &c);
    g2o::curand_init(7, 3, 10, &d);
    for (int i = 0; i < 10; ++i) {
        g2o::curand(&a);
        g2o::curand(&c);
    }
    CHECK(g2o::curand(&a) == g2o::curand(&b) && g2o::curand(&c) == g2o::curand(&d));
    g2o::skipahead(6, &d);
    for (int i = 0; i < 6; ++i)
        g2o::curand(&c);
    CHECK(g2o::curand(&c) == g2o::curand(&d));
    CHECK(g2o::curand(&far) != g2o::curand(&a));
    const float4 uniform = g2o::curand_uniform4(&c);
    CHECK(uniform.x > 0 && uniform.w <= 1);
    show_samples<g2o::curandState>("sample_xorwow");
    show_samples<g2o::curandStatePhilox4_32_10_t>("sample_philox");
}

static void half_precision()
{
    for (unsigned bits = 0; bits < 0x10000; bits += 7) {
        const g2o::half x = g2o::ushort_as_half((unsigned short)(bits));
        const g2o::nv_bfloat16 y = g2o::ushort_as_bfloat16((unsigned short)(bits));
        std::printf("half %u %.9g\n", bits, double(g2o::half2float(x)));
        std::printf("bfloat16 %u %.9g\n", bits, double(g2o::bfloat162float(y)));
        const float value = g2o::uint_as_float(bits * 65537u); // any float
        std::printf("to_half %u %u\n", bits * 65537u,
                    unsigned(g2o::half_as_ushort(g2o::float2half(value))));
    }
    // Ties and the borders of the format.
    for (float x : {1.00048828125f, 1.00146484375f, 65519.99f, 65520.0f, 5.9604645e-8f, 2.98e-8f,
                    2.9802322e-8f, 6.1005e-5f, 6.1035e-5f}) {
        std::printf("to_half %u %u\n", g2o::float_as_uint(x),
                    unsigned(g2o::half_as_ushort(g2o::float2half(x))));
    }
    g2o::half a = 1.5f, b = 2;
    CHECK(float(a + b) == 3.5f && float(a * b) == 3 && a < b && float(-a) == -1.5f);
    CHECK(float(g2o::hfma(a, b, a)) == 4.5f && float(g2o::hadd(a, b)) == 3.5f && g2o::hlt(a, b));
    a += b;
    CHECK(float(a) == 3.5f && sizeof(g2o::half2) == 4 && alignof(g2o::half2) == 4);
    const g2o::half2 pair = g2o::floats2half2_rn(1, 2);
    CHECK(g2o::high2float(g2o::hadd2(pair, pair)) == 4 && g2o::low2float(pair * pair) == 1);
    CHECK(g2o::bfloat162float(g2o::float2bfloat16(1.00390625f)) == 1.0f); // a tie, to even
}

int main()
{
    linear_memory();
    arrays();
    volumes();
    random_numbers();
    half_precision();
    return finish();
}
