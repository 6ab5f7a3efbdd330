// The chosen colour scheme before anything is drawn: a dark-mode user sees no white flash.
;(function () {
  let chosen = null
  try {
    chosen = localStorage.getItem('THEME')
  } catch {
    // Storage is switched off: the system decides.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
