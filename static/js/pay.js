// Opens the payment window of a provider whose script the page has loaded, and says when that fails. The window sends the
// browser on by itself.
(() => {
  "use strict";

  const button = document.querySelector("[data-payment-window]");
  const state = document.querySelector("[data-payment-state]");
  if (!button || !state) return;

  // Whoever comes back by the browser's own button may open it again.
  addEventListener("pageshow", () => {
    button.disabled = false;
  });
  button.addEventListener("click", async () => {
    state.textContent = "";
    const { clientKey, customerKey, ...order } = JSON.parse(button.dataset.paymentWindow);
    button.disabled = true;
    try {
      await window.TossPayments(clientKey).payment({ customerKey }).requestPayment(order);
    } catch (error) {
      if (error && error.code === "USER_CANCEL") {
        location.assign(order.failUrl);
        return;
      }
      state.textContent = button.dataset.failed;
    }
    button.disabled = false;
  });
})();
