// Programs may include it where they use nothing of it.
namespace nvcuda {
namespace wmma {}
}
