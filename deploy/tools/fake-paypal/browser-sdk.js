// Served instead of PayPal's browser script (version 6): the same calls, and a small window that asks for the buyer's
// decision. The browser runs it unmodified.
;(() => {
  const origin = new URL(document.currentScript.src).origin

  const choices = [
    { text: 'Pay', bank: 'pays' },
    { text: 'Pay later', bank: 'takes its time' },
    { text: 'Pay with a declined card', bank: 'declines' },
    { text: 'Cancel' },
    { text: 'Fail' },
  ]

  function ask() {
    const { promise, resolve } = Promise.withResolvers()
    const dialog = document.createElement('dialog')
    dialog.setAttribute('aria-label', 'Fake PayPal')
    for (const choice of choices) {
      const button = document.createElement('button')
      button.textContent = choice.text
      button.addEventListener('click', () => {
        dialog.remove()
        resolve(choice)
      })
      dialog.append(button)
    }
    document.body.append(dialog)
    dialog.showModal()
    return promise
  }

  function createPayPalOneTimePaymentSession({ onApprove, onCancel, onError }) {
    return {
      async start(_options, order) {
        try {
          const { orderId } = await order
          const { text, bank } = await ask()
          if (text === 'Fail') throw new Error('The payment failed, as requested.')
          if (!bank) return onCancel?.({ orderId })
          const path = `${origin}/fake/orders/${encodeURIComponent(orderId)}/approve`
          await fetch(path, { method: 'POST', body: JSON.stringify({ bank }) })
          await onApprove?.({ orderId })
        } catch (error) {
          onError?.(error)
        }
      },
    }
  }

  class PayPalButton extends HTMLElement {
    connectedCallback() {
      if (this.firstChild) return
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = 'Pay with PayPal'
      this.append(button)
    }
  }
  customElements.define('paypal-button', PayPalButton)

  window.paypal = {
    version: '6.0.0',
    createInstance: async ({ clientToken }) => {
      if (!clientToken) throw new Error('clientToken is missing')
      return {
        findEligibleMethods: async () => ({ isEligible: (method) => method === 'paypal' }),
        createPayPalOneTimePaymentSession,
      }
    },
  }
  window.onPayPalWebSdkLoaded?.()
})()
