import type { Call, DeviceCaller } from '../http/handler.ts'
import { queryOf } from '../http/head.ts'
import type { Ask, Board, Report } from '../http/screens.ts'

/** A screen's request for a board, with what it says about itself. */
export function askFor({ exchange, caller }: Call<DeviceCaller>, board: Board): Ask {
  const query = queryOf(exchange.request)
  return {
    device: caller.device,
    actor: caller.actor,
    board,
    drawn: query.get('drawn'),
    report: reportOf(query),
  }
}

function reportOf(query: URLSearchParams): Report {
  const flag = (name: string, yes: string, no: string) => {
    const value = query.get(name)
    return value === yes ? true : value === no ? false : null
  }
  return { sound: flag('sound', 'on', 'off'), awake: flag('awake', 'yes', 'no'), visible: flag('visible', 'yes', 'no') }
}
