"""examples/torch_extension is built for the CPU, and is what autograd says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from g2o.cli.main import run as run_g2o

torch: Any = pytest.importorskip("torch", reason="needs PyTorch: make test-torch")
pytestmark = pytest.mark.slow

_SOURCE = Path(__file__).parents[2] / "examples" / "torch_extension" / "sampler.cu"
_WITH_ADJOINT = """
#include <torch/extension.h>
#undef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME sampler
#include "sampler.omp.cpp"

std::vector<torch::Tensor> gradients(torch::Tensor d_samples, torch::Tensor image,
                                     torch::Tensor points)
{
    auto samples = sample(image, points), seeds = d_samples.clone();
    auto d_image = torch::zeros_like(image), d_points = torch::zeros_like(points);
    const dim3 blocks((points.size(1) + 127) / 128, image.size(0));
    sample_kernel_grad<double>(blocks, 128,
                               image.packed_accessor32<double, 4, torch::RestrictPtrTraits>(),
                               points.packed_accessor32<double, 3, torch::RestrictPtrTraits>(),
                               samples.packed_accessor32<double, 3, torch::RestrictPtrTraits>(),
                               d_image.packed_accessor32<double, 4, torch::RestrictPtrTraits>(),
                               d_points.packed_accessor32<double, 3, torch::RestrictPtrTraits>(),
                               seeds.packed_accessor32<double, 3, torch::RestrictPtrTraits>());
    return {d_image, d_points};
}

PYBIND11_MODULE(with_adjoint, m)
{
    m.def("sample", &sample);
    m.def("sample_backward", &sample_backward);
    m.def("gradients", &gradients);
}
"""


def plain(image: Any, points: Any) -> Any:
    """The sampler in PyTorch's own operations."""
    height, width = image.shape[2:]
    x, y = points[..., 0], points[..., 1]
    left, top = x.floor(), y.floor()
    samples = 0
    for i in range(2):
        for j in range(2):
            row, column = (top + i).long(), (left + j).long()
            inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
            across = x - left if j else 1 - (x - left)
            down = y - top if i else 1 - (y - top)
            rows, columns = row.clamp(0, height - 1), column.clamp(0, width - 1)
            picked = [one[:, r, c] for one, r, c in zip(image, rows, columns, strict=True)]
            samples = samples + (across * down * inside)[:, None] * torch.stack(picked)
    return samples


def test_forward_and_gradients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cpp_extension: Any = pytest.importorskip("torch.utils.cpp_extension")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sampler.cu").write_text(_SOURCE.read_text())
    spec = "sample_kernel(samples)/(image, points)"
    assert run_g2o(["translate", "-q", "sampler.cu", "--grad", spec]) == 0
    (tmp_path / "main.cpp").write_text(_WITH_ADJOINT)
    module = cpp_extension.load(
        "with_adjoint",
        ["main.cpp"],
        extra_cflags=["-O1", "-fopenmp"],
        extra_ldflags=["-fopenmp"],
        build_directory=str(tmp_path),
    )
    torch.manual_seed(0)
    image = torch.randn(2, 3, 7, 9, dtype=torch.float64, requires_grad=True)
    points = (torch.rand(2, 50, 2, dtype=torch.float64) * 12 - 2).requires_grad_()
    wanted = plain(image, points)
    seeds = torch.randn_like(wanted)
    of_image, of_points = torch.autograd.grad(wanted, (image, points), seeds)
    given = image.detach(), points.detach()
    torch.testing.assert_close(module.sample(*given), wanted.detach())
    torch.testing.assert_close(module.sample_backward(seeds, *given), of_image)
    got_image, got_points = module.gradients(seeds, *given)
    torch.testing.assert_close(got_image, of_image)
    torch.testing.assert_close(got_points, of_points)
