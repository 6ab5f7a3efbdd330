/** What a report is shown by; in the address too, so it stands apart from what draws it. */
export const reportParts = ['months', 'keys', 'sites', 'meters', 'changes'] as const
export type ReportPart = (typeof reportParts)[number]
