/** Versions from which an upgrade is tested, the newest first. A release adds itself here, with its commit and its last migration. */
export const releases = [
  {
    name: '2026-11-27',
    commit: 'b5283bcd9f9c63b40f58527ea2ae7e186160e41d',
    lastMigration: '0131_mark_from_code.sql',
    provision: ['tools/operator.ts', 'provision'],
  },
  {
    name: '2026-11-24',
    commit: '2026f66506a48301ebc97f321e9433500497d2f0',
    lastMigration: '0078_register_by_mark.sql',
    provision: ['tools/provision.ts'],
  },
] as const

export type Release = (typeof releases)[number]
