/** `Nordhavn Frost A/S` -> `NF`, `Mads Sørensen` -> `MS`, `mads@nordhavn.example` -> `M`. */
export const initialsOf = (name: string): string =>
  (name.split('@')[0] ?? '')
    .split(/[\s.]+/)
    .filter((word) => /^\p{L}/u.test(word) && !/^(A\/S|ApS|I\/S|K\/S)$/i.test(word))
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase() ?? '')
    .join('')
