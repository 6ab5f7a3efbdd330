// First of all: the id of a sign-in link leaves the address bar before anything else runs (S5).
import '#lib/one-time-link.ts'
import '@fontsource-variable/inter/opsz.css'
import '#ui/theme/mantine.ts'
import '#ui/theme/global.css'
import '#ui/theme/overrides.css'
import { createRoot } from 'react-dom/client'
import { readAllWords, startI18n } from '#lib/i18n.ts'
import { followMissingFiles } from '#lib/missing-files.ts'
import { followOtherTabs } from '#lib/session.ts'
import { followTooltips } from '#ui/tooltip.ts'
import { App } from './App.tsx'

const place = document.getElementById('root')
if (!place) throw new Error('index.html has no #root')

followMissingFiles()
followOtherTabs()
followTooltips()
await startI18n()
createRoot(place).render(<App />)
// Loaded again with the page or dialog that needs them: styles, schemas and popups of all pages, and their Danish words.
const loadOthers = () => Promise.all([import('#ui/Modal.tsx'), import('#ui/MantineSelect.tsx'), readAllWords()])
/** The first screen is painted by then, also on a slow laptop. */
const loadOthersAfterMs = 2000
setTimeout(() => void loadOthers().catch(() => {}), loadOthersAfterMs)
