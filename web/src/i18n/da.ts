export const da: Record<string, string> = {}
