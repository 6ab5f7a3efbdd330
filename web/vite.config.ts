import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { deferredZod } from './deferred-zod.ts'
import { firstLoad } from './first-load.ts'
import { lightContract } from './light-contract.ts'
import { splitMessages } from './split-messages.ts'
import { browserTemporal } from './temporal-alias.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), deferredZod(), splitMessages(), lightContract(), firstLoad()],
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
      // Mantine's index names it, which would be 3 kB of the first load.
      treeshake: {
        moduleSideEffects: [{ test: /react-remove-scroll|use-sidecar|react-style-singleton/, sideEffects: false }],
      },
      output: {
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        // One file for each icon and hook would be 120, and a file costs the first load some 10 ms. `tools/web-budget.ts` holds it.
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /node_modules/, tags: ['$initial'] },
            { name: 'frame', tags: ['$initial'] },
            { name: 'schemas', test: /node_modules\/zod\/|src\/lib\/zod\.ts/ },
            // Before the groups that use them: a page that needs one hook of a group loads all of it.
            {
              name: 'hooks',
              test: /(use-merged-ref|create-safe-context|get-safe-id|find-element-ancestor|create-event-handler|create-scoped-keydown-handler|use-debounced-callback|use-callback-ref|use-throttled-callback|use-force-update|utils\/clamp\/clamp|DirectionProvider)\.mjs/,
            },
            // What sign-in, the shell and home share; `tools/web-budget.ts` fails when sign-in brings the shell.
            {
              name: 'common',
              test: /SavedAccounts|(saved-account|live|unsaved|lib\/late|src\/bulk|kept-focus|ui\/(late-field|Loaded|FormParts|useConfirm|Avatar|Tag))\.tsx?$|eventsource|\/(Tooltip|Input|ActionIcon|CheckIcon|use-uncontrolled|get-auto-contrast-value)(\/|\.m)/,
            },
            { name: 'shell', test: /src\/(shell\/Shell|ui\/Panel)\.tsx/ },
            { name: 'home', test: /src\/portal\/home\/Home\.tsx/ },
            { name: 'checks', test: /components\/Checkbox\/|utils\/(InlineInput|InputsGroup)/ },
            { name: 'forms', test: /@mantine\/form|lib\/call-form\.ts/ },
            { name: 'entrance', test: /src\/people\/sign-in\/(SignIn|AuthFrame)\.tsx/ },
            { name: 'switches', test: /components\/Switch\/|ui\/SavedSwitch/ },
            { name: 'profile', test: /contract\/src\/people\/profile/ },
            { name: 'preferences', test: /src\/shell\/Preferences\.tsx/ },
            { name: 'page-styles', test: /styles\/\w+\.layer\.css|mantine-pages/ },
            { name: 'popovers', test: /@floating-ui|components\/Popover\// },
            { name: 'selects', test: /components\/(Select|Combobox(?!\/use-pills-reorder))\// },
            { name: 'pills', test: /components\/(MultiSelect|PillsInput|Pill|Combobox\/use-pills-reorder)\// },
            { name: 'calendars', test: /node_modules\/(@mantine\/dates|dayjs)/ },
            { name: 'dialogs', test: /src\/ui\/Dialog\.tsx/ },
            {
              name: 'lists',
              test: /src\/(ui\/(SavedList|ListViews|ListColumns|SelectList|row-selection)|lib\/(removal|saved-views|list)|people\/saved-views)\.tsx?$/,
            },
            // Each of them is made of the one before it: in two files that import each other the second would run first.
            { name: 'bids', test: /contract\/src\/trading\/bid-/ },
            { name: 'range', test: /src\/ui\/Chart\/(range|useTimeRange|SharedZoom)\.tsx?$/ },
            // A file costs a cold screen some 10 ms on a slow device, more than bytes that it does not use.
            { name: 'screens', minShareCount: 14 },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 1000 },
          ],
        },
      },
    },
  },
})
