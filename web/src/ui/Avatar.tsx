import classes from './Avatar.module.css'

export const Avatar = ({ image, initials, size }: { image: string | null; initials: string; size: number }) => (
  <span className={classes.avatar} style={{ width: size, height: size, fontSize: size > 32 ? 14 : 11.5 }} aria-hidden>
    {image ? <img src={image} alt="" /> : initials}
  </span>
)
