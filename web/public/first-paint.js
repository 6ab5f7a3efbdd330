// Runs before anything is drawn or loaded.
;(function () {
  let chosen = null
  let token = null
  let language = null
  try {
    chosen = localStorage.getItem('THEME')
    token = localStorage.getItem('GM_TOKEN')
    language = localStorage.getItem('GM_LANGUAGE')
  } catch {
    // Storage is switched off: the system decides, and nobody is signed in.
  }

  // The chosen colour scheme: a dark-mode user sees no white flash.
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')

  // Files that the build names are asked for beside the libraries: Danish words, and of a signed-in load the shell and home.
  const named = document.currentScript.dataset
  const ask = (files = '') => {
    for (const file of files.split(' ').filter(Boolean)) {
      if (document.head.querySelector(`link[href="${file}"]`)) continue
      const link = document.createElement('link')
      const isStyle = file.endsWith('.css')
      link.rel = isStyle ? 'preload' : 'modulepreload'
      if (isStyle) link.as = 'style'
      link.crossOrigin = ''
      link.href = file
      document.head.append(link)
    }
  }
  const isHome = location.pathname === '/'
  if (language === 'da') ask(named.danish)

  // Who is signed in is asked beside the libraries, not after them; `lib/api.ts` takes the answer.
  if (token === null || /^\/(auth\/|privacyPolicy)/.test(location.pathname)) return
  const answer = fetch('/api/user/verify', { headers: { Authorization: `Bearer ${token}` } })
  answer.catch(() => {}) // whoever takes it says so
  window.firstCall = { token, answer }

  ask(named.shell)
  if (isHome) ask(named.home)

  // The first number that a browser formats takes as long as a tenth of the page: here it waits for those files anyway.
  new Intl.NumberFormat('da-DK').format(0)
})()
