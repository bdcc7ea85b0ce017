// Forms that a passkey answers: one adds a passkey, the other signs in. They show where the browser has passkeys;
// elsewhere, and without JavaScript, everything else stays as it is.
(() => {
  "use strict";

  const passkeys = window.PublicKeyCredential;
  const needed = [passkeys?.parseCreationOptionsFromJSON, passkeys?.parseRequestOptionsFromJSON, passkeys?.prototype.toJSON];
  if (!needed.every(Boolean)) return;

  const ask = async (form) => {
    const challenge = await fetch(form.dataset.challenge, { method: "POST" });
    if (!challenge.ok) throw new Error(challenge.statusText);
    const { publicKey } = await challenge.json();
    if (form.dataset.passkey === "create") {
      return navigator.credentials.create({ publicKey: passkeys.parseCreationOptionsFromJSON(publicKey) });
    }
    return navigator.credentials.get({ publicKey: passkeys.parseRequestOptionsFromJSON(publicKey) });
  };

  const send = async (form) => {
    const state = form.querySelector("[data-passkey-state]");
    const button = form.querySelector("button");
    state.textContent = "";
    button.disabled = true;
    try {
      form.elements.answer.value = JSON.stringify(await ask(form));
      form.submit();
    } catch (error) {
      const known = error.name === "InvalidStateError" && form.dataset.known; // the device has one of this account
      state.textContent = known || form.dataset.failed;
      button.disabled = false;
    }
  };

  for (const unable of document.querySelectorAll("[data-passkey-unable]")) unable.hidden = true;
  for (const form of document.querySelectorAll("[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send(form);
    });
  }
})();
