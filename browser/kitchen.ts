import { startStation } from './kitchen/station.ts'

startStation()
