import classes from './Tag.module.css'

/** `Nordhavn Frost A/S` -> `NF`, `Mads Sørensen` -> `MS`, `mads@nordhavn.example` -> `M`. */
export const initialsOf = (name: string): string =>
  (name.split('@')[0] ?? '')
    .split(/[\s.]+/)
    .filter((word) => /^\p{L}/u.test(word) && !/^(A\/S|ApS|I\/S|K\/S)$/i.test(word))
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase() ?? '')
    .join('')

export const Avatar = ({ image, initials, size }: { image: string | null; initials: string; size: number }) => (
  <span className={classes.avatar} style={{ width: size, height: size, fontSize: size > 32 ? 14 : 11.5 }} aria-hidden>
    {image ? <img src={image} alt="" /> : initials}
  </span>
)
