import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { browserTemporal } from './temporal-alias.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { alias: browserTemporal },
  server: { host: '127.0.0.1', proxy: { '/api/': process.env.API_URL ?? 'http://127.0.0.1:3000' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // The portal's Content-Security-Policy allows no data: scripts or fonts, so nothing is inlined.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        // One file for each icon and hook would be 120; a file is a request. `tools/web-budget.ts` holds the first load.
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /node_modules/, tags: ['$initial'] },
            { name: 'frame', tags: ['$initial'] },
            { name: 'entrance', test: /src\/pages\/sign-in|src\/shell\/AuthFrame/ },
            // The chevron of menus is one of calendars too: home must not need the calendars for it.
            { name: 'shell', test: /src\/shell\/Shell\.tsx|AccordionChevron/ },
            { name: 'calendars', test: /node_modules\/(@mantine\/dates|dayjs)|src\/ui\/date/ },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 8_000 },
          ],
        },
      },
    },
  },
})
