import type { CSSProperties } from 'react'
import classes from './Bone.module.css'

/** A plain box where something will stand once it is read. */
export const Bone = ({ style }: { style: CSSProperties }) => <span className={classes.bone} style={style} />
