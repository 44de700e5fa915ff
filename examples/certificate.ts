import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

// A self-signed certificate for this machine, with the few parts of X.509 and DER that it needs, so that a receiver can be tried
// without a package. A real receiver has a certificate from an authority.

const VALID_MS = 365 * 86_400_000

/** A new key and a self-signed certificate for localhost, 127.0.0.1 and ::1; both as PEM. */
export function selfSigned(now: number): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(oid('550403'), tagged(0x0c, Buffer.from('localhost')))))
  const algorithm = sequence(oid('2a8648ce3d040302'))
  const localhost = [
    tagged(0x82, Buffer.from('localhost')),
    tagged(0x87, Buffer.from([127, 0, 0, 1])),
    tagged(0x87, Buffer.from([...new Array(15).fill(0), 1])),
  ]
  const certified = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    // A serial number must be positive.
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    sequence(time(now - 86_400_000), time(now + VALID_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(
      0xa3,
      sequence(extension('551d13', true, sequence(boolean(true))), extension('551d11', false, sequence(...localhost))),
    ),
  )
  const signature = sign('sha256', certified, privateKey)
  const certificate = sequence(certified, algorithm, tagged(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  const bytes = length < 0x100 ? [length] : [length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length, ...bytes]), content])
}

function extension(id: string, isCritical: boolean, value: Buffer): Buffer {
  return sequence(oid(id), ...(isCritical ? [boolean(true)] : []), tagged(0x04, value))
}

/** UTCTime, whose two-digit years are valid until 2049. */
function time(instant: number): Buffer {
  const digits = new Date(instant).toISOString().replace(/\D/g, '')
  return tagged(0x17, Buffer.from(`${digits.slice(2, 14)}Z`))
}

const sequence = (...parts: Buffer[]) => tagged(0x30, ...parts)
const set = (...parts: Buffer[]) => tagged(0x31, ...parts)
const integer = (bytes: Buffer) => tagged(0x02, bytes)
const boolean = (value: boolean) => tagged(0x01, Buffer.from([value ? 0xff : 0]))
const oid = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'))
