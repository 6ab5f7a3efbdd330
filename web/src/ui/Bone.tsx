import type { CSSProperties } from 'react'
import classes from './Bone.module.css'

export const Bone = ({ style }: { style: CSSProperties }) => <span className={classes.bone} style={style} />
