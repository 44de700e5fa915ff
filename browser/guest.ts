import { sendOnce } from './once.ts'

sendOnce()
