import type { CSSProperties } from 'react'
import classes from './Bone.module.css'

/** A placeholder box. */
export const Bone = ({ style }: { style: CSSProperties }) => <span className={classes.bone} style={style} />
