// before the page's scripts: a browser that blocks data of sites
Object.defineProperty(window, 'localStorage', {
  get() {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  },
})
