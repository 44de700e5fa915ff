import { startPickUpBoard } from './kitchen/pickup-board.ts'
import { startStation } from './kitchen/station.ts'

if (document.body.dataset.screen === 'pickup') startPickUpBoard()
else startStation()
