import { chimeForNew } from './chime.ts'
import { showChosenChips } from './chips.ts'
import { copyOnPress } from './copy.ts'
import { moveByDragging } from './drag.ts'
import { fillGrids } from './grid.ts'
import { shrinkImages } from './images.ts'
import { keepLive } from './live.ts'
import { sendOnce } from './once.ts'
import { helpWithPin } from './pin.ts'
import { offerPrinting } from './print.ts'
import { saveRows } from './rows.ts'
import { pressInPlace } from './till.ts'

saveRows()
pressInPlace()
shrinkImages()
fillGrids()
moveByDragging()
sendOnce()
keepLive()
chimeForNew()
helpWithPin()
offerPrinting()
copyOnPress()
showChosenChips()
