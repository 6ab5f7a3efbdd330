// The one place that loads ECharts, in a chunk of its own.
import { CustomChart, LineChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'

use([LineChart, CustomChart, GridComponent, CanvasRenderer])

export { init }
export type { ECharts } from 'echarts/core'
