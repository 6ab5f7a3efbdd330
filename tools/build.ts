// npm run build: builds the portal for npm run serve, once per release. --check only reports whether it is built.
import { buildWeb, isBuilt } from './web-build.ts'

if (!process.argv.includes('--check')) await buildWeb()
else if (!isBuilt()) {
  console.error('The portal is not built from the sources at hand. Run npm run build first.')
  process.exitCode = 1
}
