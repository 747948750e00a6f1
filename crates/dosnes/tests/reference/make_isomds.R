# Stress of R's MASS::isoMDS on the paper's distances: S/max(S), D = 1 - S, shortest paths over the graph.
#
# Rscript make_isomds.R similarity.mtx   (a symmetric Matrix Market file, as `dosnes normalize --normalize none -o` writes it)
# Prints, for two and three dimensions, the stress-1 at isoMDS' own tolerance and after a thousand iterations.
library(MASS)
lines <- readLines(commandArgs(trailingOnly = TRUE)[1])
lines <- lines[!startsWith(lines, "%")]
size <- scan(text = lines[1], quiet = TRUE)
entries <- matrix(scan(text = lines[-1], quiet = TRUE), ncol = 3, byrow = TRUE)
n <- size[1]
S <- matrix(0, n, n)
S[entries[, 1:2]] <- entries[, 3]
S[entries[, 2:1]] <- entries[, 3]
diag(S) <- 0
D <- 1 - S / max(S)
# The pair with the largest similarity would have length 0, which isoMDS rejects: it gets half of the next length.
D[S == max(S)] <- min(D[S > 0 & S < max(S)]) / 2
D[S == 0] <- Inf
diag(D) <- 0
for (k in seq_len(n)) D <- pmin(D, outer(D[, k], D[k, ], "+"))
for (k in 2:3) {
  start <- cmdscale(D, k)
  usual <- isoMDS(D, start, k = k, trace = FALSE)$stress / 100
  long <- isoMDS(D, start, k = k, maxit = 1000, tol = 1e-8, trace = FALSE)$stress / 100
  cat(sprintf("%d dimensions: stress %.6f, with 1000 steps %.6f\n", k, usual, long))
}
