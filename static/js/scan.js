// Reads the QR code of a guest with the camera or from a picture, where the browser can detect codes. Elsewhere the page keeps
// its field for the reservation's code.
(() => {
  "use strict";

  const place = document.querySelector("[data-scan]");
  if (!place || !("BarcodeDetector" in window)) return;

  const state = place.querySelector("[data-scan-state]");
  const video = place.querySelector("video");
  const start = place.querySelector("[data-scan-start]");
  const detector = new window.BarcodeDetector({ formats: ["qr_code"] });
  let stream = null;

  const stop = () => {
    for (const track of stream ? stream.getTracks() : []) track.stop();
    stream = null;
    video.hidden = true;
    start.hidden = false;
  };

  // A code leads on only if it is the address of a reservation of this site.
  const follow = (text) => {
    let url;
    try {
      url = new URL(text, location.href);
    } catch {
      url = null;
    }
    if (!url || url.origin !== location.origin || !url.pathname.startsWith(place.dataset.scan)) {
      state.textContent = place.dataset.foreign;
      return false;
    }
    stop();
    location.assign(url.pathname);
    return true;
  };

  const look = async () => {
    if (!stream) return;
    const codes = await detector.detect(video).catch(() => []);
    if (codes.length > 0 && follow(codes[0].rawValue)) return;
    setTimeout(look, 200);
  };

  start.addEventListener("click", async () => {
    state.textContent = "";
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      video.srcObject = stream;
      video.hidden = false;
      start.hidden = true;
      await video.play();
      look();
    } catch {
      stop();
      state.textContent = place.dataset.denied;
    }
  });

  place.querySelector("[data-scan-picture]").addEventListener("change", async (event) => {
    const file = event.target.files[0];
    if (!file) return;
    const codes = await createImageBitmap(file).then((picture) => detector.detect(picture)).catch(() => []);
    if (codes.length === 0) state.textContent = place.dataset.unread;
    else follow(codes[0].rawValue);
    event.target.value = "";
  });

  window.addEventListener("pagehide", stop);
  place.hidden = false;
})();
