import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type Release, type ReleaseForm, releases } from '../../contract/releases.ts'
import { isAllowed } from '../../domain/people/permissions.ts'
import { plantDay, toInstant } from '../../domain/plant/plant-time.ts'
import { requirePlant } from '../acts/erp-copies.ts'
import { bind } from '../http/bind.ts'
import { findUserByPassword } from '../http/login.ts'
import { Answer, Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import { insertRelease, type Looked, releaseSubject } from '../store/releases.ts'
import { recordAuditEvent } from '../upkeep/audit.ts'

const lookedOf = ({ atos, digitados = [] }: ReleaseForm): Looked | null =>
  atos === undefined
    ? null
    : {
        acts: atos.map((act) => act.toLowerCase()),
        typed: digitados.map(({ caracteristica, valor }) => ({ characteristic: caracteristica, milli: valor })),
      }

/**
 * Gives a release. The releasing person types a password on somebody else's tablet, so guesses are throttled as at
 * log-in.
 */
async function give(form: ReleaseForm, call: Call): Promise<Release> {
  const { db, request, now, config, caller } = call
  const { usuario: username, senha: password, filial: branch, ordem: orderNumber, parte: part, motivo } = form
  requirePlant(branch, call)
  const user = await findUserByPassword({ username, password }, request, call)
  if (!user) throw new Refused('release_login_wrong')
  const by = { userId: user.id, username: user.username }
  if (!isAllowed(user.role, 'plans')) throw new Refused('not_allowed', { caller: by })
  const { codigoBarras: barcode = '', posicao: position = '' } = form
  const [id, at, reason] = [randomUUID(), now(), motivo.trim()]
  const place = {
    branch,
    subject: releaseSubject({ barcode, orderNumber, position, part }),
    day: plantDay(at, config.timeZone),
  }
  const givenBy = user.fullName || user.username
  const bounds = { pieces: form.pecas ?? null, looked: lookedOf(form) }
  await db.transaction(async (tx) => {
    await insertRelease(tx, { ...place, ...bounds, id, reason, userId: user.id, givenBy, at })
    await recordAuditEvent(
      tx,
      { caller: by, now },
      {
        ...{ action: 'release_given', kind: 'release', id, reason },
        name: `OP ${orderNumber}`,
        details: {
          ...(part === 'juncao' ? { position } : { barcode }),
          ...(form.pecas === undefined ? {} : { releasedPieces: form.pecas }),
          askedBy: caller.username,
        },
      },
    )
  })
  return { id, por: givenBy, em: toInstant(at) }
}

export function releaseRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, releases.give, async ({ body }, call) => new Answer(201, await give(body, call)))
}
