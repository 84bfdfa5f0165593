// Atomic operations. One CUDA thread runs at a time, so a plain read and write is atomic; what
// matters is that a thread that polls with an atomic lets the others run.
#pragma once

#include "execution.hpp"

#include <cstring>
#include <type_traits>

namespace g2o_emulator {

// A type that takes no part in deduction: `atomicAdd(float *, 1.0)` is float addition.
template <typename T>
struct Same {
    using type = T;
};
template <typename T>
using same_t = typename Same<std::remove_volatile_t<T>>::type;

template <typename T, typename Update>
std::remove_volatile_t<T> atomic_update(T *address, Update update) {
    using Value = std::remove_volatile_t<T>;
    auto *place = const_cast<Value *>(address);
    Value old = *place;
    Value next = update(old);
    bool changes = std::memcmp(&old, &next, sizeof(Value)) != 0;
    *place = next;
    poll(changes);
    return old;
}

} // namespace g2o_emulator

// Templates, so that a function of the same name in the program is preferred, not a conflict.
#define G2O_EMULATOR_ATOMIC_FORM(name, expression)                                                 \
    template <typename T>                                                                          \
    std::remove_volatile_t<T> name(T *address, g2o_emulator::same_t<T> value) {                    \
        using Value [[maybe_unused]] = std::remove_volatile_t<T>;                                  \
        return g2o_emulator::atomic_update(                                                        \
            address, [&](Value old) -> Value { return static_cast<Value>(expression); });          \
    }
#define G2O_EMULATOR_ATOMIC(name, expression)                                                      \
    G2O_EMULATOR_ATOMIC_FORM(name, expression)                                                     \
    G2O_EMULATOR_ATOMIC_FORM(name##_system, expression)                                            \
    G2O_EMULATOR_ATOMIC_FORM(name##_block, expression)

G2O_EMULATOR_ATOMIC(atomicAdd, old + value)
G2O_EMULATOR_ATOMIC(atomicSub, old - value)
G2O_EMULATOR_ATOMIC(atomicMin, value < old ? value : old)
G2O_EMULATOR_ATOMIC(atomicMax, old < value ? value : old)
G2O_EMULATOR_ATOMIC(atomicAnd, old &value)
G2O_EMULATOR_ATOMIC(atomicOr, old | value)
G2O_EMULATOR_ATOMIC(atomicXor, old ^ value)
G2O_EMULATOR_ATOMIC(atomicExch, ((void)old, value))
G2O_EMULATOR_ATOMIC(atomicInc, old >= value ? Value{0} : old + 1)
G2O_EMULATOR_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1)
#undef G2O_EMULATOR_ATOMIC
#undef G2O_EMULATOR_ATOMIC_FORM

// Vectors are atomic by component.
#define G2O_EMULATOR_ATOMIC_VECTOR(name)                                                           \
    inline float2 name(float2 *address, float2 value) {                                            \
        return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)};                 \
    }                                                                                              \
    inline float4 name(float4 *address, float4 value) {                                            \
        return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y),                  \
                atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w)};                 \
    }
G2O_EMULATOR_ATOMIC_VECTOR(atomicAdd)
G2O_EMULATOR_ATOMIC_VECTOR(atomicAdd_block)
G2O_EMULATOR_ATOMIC_VECTOR(atomicAdd_system)
#undef G2O_EMULATOR_ATOMIC_VECTOR

#define G2O_EMULATOR_CAS(name)                                                                     \
    template <typename T>                                                                          \
    std::remove_volatile_t<T> name(T *address, g2o_emulator::same_t<T> compare,                    \
                                   g2o_emulator::same_t<T> value) {                                \
        using Value = std::remove_volatile_t<T>;                                                   \
        return g2o_emulator::atomic_update(                                                        \
            address, [&](Value old) { return old == compare ? value : old; });                     \
    }
G2O_EMULATOR_CAS(atomicCAS)
G2O_EMULATOR_CAS(atomicCAS_system)
G2O_EMULATOR_CAS(atomicCAS_block)
#undef G2O_EMULATOR_CAS
