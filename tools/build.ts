// npm run build: what npm run serve needs, made once at a release or an upgrade. With --check it only says whether that was done.
import { buildWeb, isBuilt } from './web-build.ts'

if (!process.argv.includes('--check')) await buildWeb()
else if (!isBuilt()) {
  console.error('The portal is not built from the sources at hand. Run npm run build first.')
  process.exitCode = 1
}
