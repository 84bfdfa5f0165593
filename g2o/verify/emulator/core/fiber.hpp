// Fibers: one stack and one saved stack pointer for every CUDA thread that had to wait.
//
// The switch saves what the calling convention asks a callee to save and nothing else. x86-64 and
// aarch64 have a few lines of assembly; every other machine takes ucontext.
#pragma once

#include "../parts/execution.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define G2O_EMULATOR_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define G2O_EMULATOR_ASAN 1
#endif
#endif

#ifdef G2O_EMULATOR_ASAN
extern "C" {
void __sanitizer_start_switch_fiber(void **fake_stack_save, const void *bottom, std::size_t size);
void __sanitizer_finish_switch_fiber(void *fake_stack_save, const void **bottom_old,
                                     std::size_t *size_old);
}
#endif

// G2O_EMULATOR_UCONTEXT asks for ucontext, to test it.
#if defined(G2O_EMULATOR_UCONTEXT)
#include <ucontext.h>
#elif defined(__x86_64__)
#define G2O_EMULATOR_ASSEMBLY 1
extern "C" void g2o_emulator_switch(void **save, void *load);
asm(R"(
    .text
    .local g2o_emulator_switch
    .type g2o_emulator_switch, @function
g2o_emulator_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size g2o_emulator_switch, .-g2o_emulator_switch
)");
#elif defined(__aarch64__) && !defined(__APPLE__)
#define G2O_EMULATOR_ASSEMBLY 1
extern "C" void g2o_emulator_switch(void **save, void *load);
asm(R"(
    .text
    .local g2o_emulator_switch
    .type g2o_emulator_switch, %function
g2o_emulator_switch:
    sub sp, sp, #160
    stp x19, x20, [sp]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .size g2o_emulator_switch, .-g2o_emulator_switch
)");
#else
#include <ucontext.h>
#endif

namespace g2o_emulator {

// An integer from the environment, `otherwise` when it is not set.
inline long setting(const char *name, long otherwise) {
    const char *text = std::getenv(name);
    return text && *text ? std::strtol(text, nullptr, 0) : otherwise;
}

// A stack of a fiber, or (with `bottom` unknown) the one the operating system gave to the thread.
struct Stack {
    char *bottom = nullptr;
    std::size_t size = 0;
};

// Stacks that were used once stay for the next launch, so a launch costs no system call.
// The lowest page of each is unmapped: an overflow faults instead of writing into a neighbour.
class StackPool {
  public:
    Stack take() {
        if (free_.empty())
            grow();
        Stack stack = free_.back();
        free_.pop_back();
        return stack;
    }

    void give_back(Stack stack) { free_.push_back(stack); }

    bool is_guard(const void *address) const {
        auto *p = static_cast<const char *>(address);
        for (const Chunk &chunk : chunks_)
            if (p >= chunk.begin && p < chunk.begin + stacks_per_chunk * stride_)
                return static_cast<std::size_t>(p - chunk.begin) % stride_ < page_;
        return false;
    }

  private:
    struct Chunk {
        char *begin;
    };

    void grow() {
        void *memory = mmap(nullptr, stacks_per_chunk * stride_, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) {
            std::fprintf(stderr, "g2o emulator: no memory for the stacks of CUDA threads\n");
            stop(exit_stack_overflow);
        }
        auto *begin = static_cast<char *>(memory);
        bool guarded = chunks_.size() * stacks_per_chunk < max_guarded;
        chunks_.push_back({begin});
        for (std::size_t i = stacks_per_chunk; i-- > 0;) {
            char *low = begin + i * stride_;
            if (guarded)
                mprotect(low, page_, PROT_NONE);
            free_.push_back({low + page_, stride_ - page_});
        }
    }

    // A guard splits a mapping; Linux allows 65530 mappings by default.
    static constexpr std::size_t stacks_per_chunk = 64, max_guarded = 16384;
    std::size_t page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::size_t stride_ =
        (static_cast<std::size_t>(setting("G2O_STACK_KB", 256)) * 1024 + page_ - 1) / page_ *
            page_ +
        page_;
    std::vector<Chunk> chunks_;
    std::vector<Stack> free_;
};

// Where a suspended fiber goes on.
struct Fiber {
    Stack stack;
#ifdef G2O_EMULATOR_ASSEMBLY
    void *context = nullptr;
#else
    ucontext_t context;
#endif
#ifdef G2O_EMULATOR_ASAN
    void *fake_stack = nullptr;
#endif
};

// Make `fiber`, which owns a stack, start in `entry` at the first switch to it.
inline void prepare(Fiber &fiber, void (*entry)()) {
    auto top = (reinterpret_cast<std::uintptr_t>(fiber.stack.bottom) + fiber.stack.size) &
               ~std::uintptr_t{15};
#if defined(G2O_EMULATOR_ASSEMBLY) && defined(__x86_64__)
    auto *slots = reinterpret_cast<void **>(top) - 8;
    for (int i = 0; i < 8; ++i)
        slots[i] = nullptr;
    slots[6] = reinterpret_cast<void *>(entry);
    fiber.context = slots;
#elif defined(G2O_EMULATOR_ASSEMBLY)
    auto *slots = reinterpret_cast<void **>(top) - 20;
    for (int i = 0; i < 20; ++i)
        slots[i] = nullptr;
    slots[11] = reinterpret_cast<void *>(entry);
    fiber.context = slots;
#else
    (void)top;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.bottom;
    fiber.context.uc_stack.ss_size = fiber.stack.size;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, entry, 0);
#endif
}

#ifdef G2O_EMULATOR_ASAN
// The stack a launch was made from, as the sanitizer reports it at the first switch away from it.
inline thread_local Stack launching_stack;
#endif

// Call first in every `entry`.
inline void entered() {
#ifdef G2O_EMULATOR_ASAN
    const void *bottom = nullptr;
    std::size_t size = 0;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &size);
    if (!launching_stack.bottom)
        launching_stack = {static_cast<char *>(const_cast<void *>(bottom)), size};
#endif
}

// Suspend `from` and go on in `to`. `from_ended`: nobody will switch back to `from`.
inline void switch_fiber(Fiber &from, Fiber &to, [[maybe_unused]] bool from_ended) {
#ifdef G2O_EMULATOR_ASAN
    const Stack &target = to.stack.bottom ? to.stack : launching_stack;
    __sanitizer_start_switch_fiber(from_ended ? nullptr : &from.fake_stack, target.bottom,
                                   target.size);
#endif
#ifdef G2O_EMULATOR_ASSEMBLY
    g2o_emulator_switch(&from.context, to.context);
#else
    swapcontext(&from.context, &to.context);
#endif
#ifdef G2O_EMULATOR_ASAN
    __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
#endif
}

} // namespace g2o_emulator
