# syntax=docker/dockerfile:1
# The image holds one static binary and the certificates of public authorities.
FROM --platform=$BUILDPLATFORM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
COPY app ./app
COPY db ./db
COPY locks ./locks
COPY static ./static
COPY views ./views
ARG TARGETOS
ARG TARGETARCH
# The commit, since .git is not here: docker build --build-arg REVISION="$(git rev-parse HEAD)" .
ARG REVISION=
RUN --mount=type=cache,target=/go/pkg/mod \
    --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -ldflags="-s -w -X lunchgo/app/build.revision=$REVISION" -o /out/lunchgo ./app

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/lunchgo /lunchgo
# A number, so that a platform can see that it is not root. It owns no file.
USER 65532:65532
ENV ADDR=:8080
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=4s --start-period=30s --retries=3 CMD ["/lunchgo", "healthcheck"]
ENTRYPOINT ["/lunchgo"]
CMD ["serve"]
