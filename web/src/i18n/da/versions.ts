export const versions = {
  'The versions could not be loaded.': 'Versionerne kunne ikke hentes.',
}
