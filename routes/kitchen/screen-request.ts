import type { Call, DeviceCaller } from '../http/handler.ts'
import { queryOf } from '../http/head.ts'
import type { Reply } from '../http/reply.ts'
import type { Ask, Board, Report } from '../http/screens.ts'
import { languageOf } from '../page/view.ts'
import { words } from './words/screen-parts.ts'

/** Reads a screen's request for a board, with what it says about itself. */
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

/** Whether an act was sent by the script of a screen, which gets JSON, and not by a form. */
export function isFromScript({ exchange }: Call<DeviceCaller>): boolean {
  return exchange.request.headers.accept?.includes('application/json') === true
}

/** The reply to an act that cannot be read. A script gets a sentence, so that it does not send the act again and again. */
export function unreadable(call: Call<DeviceCaller>, reply: Reply): Reply {
  if (reply.kind !== 'refusal' || reply.code !== 'BAD_REQUEST' || !isFromScript(call)) return reply
  return { kind: 'json', status: 400, body: { refused: words[languageOf(call.exchange)].notAccepted } }
}
