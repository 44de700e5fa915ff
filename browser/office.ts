import { keepLive } from './live.ts'
import { sendOnce } from './once.ts'

sendOnce()
keepLive()
