import type { Call, DeviceCaller } from '../http/handler.ts'
import type { Reply } from '../http/reply.ts'
import { languageOf } from '../page/view.ts'
import { words } from './words/screen-parts.ts'

/** Whether a press was sent by the script of a screen, which gets JSON, and not by a form. */
export function isFromScript({ exchange }: Call<DeviceCaller>): boolean {
  return exchange.request.headers.accept?.includes('application/json') === true
}

/** The reply to a press that cannot be read. A script gets it as a sentence, so that it does not send the press for ever. */
export function unreadable(call: Call<DeviceCaller>, reply: Reply): Reply {
  if (reply.kind !== 'refusal' || reply.code !== 'BAD_REQUEST' || !isFromScript(call)) return reply
  return { kind: 'json', status: 400, body: { refused: words[languageOf(call.exchange)].notAccepted } }
}
