import type { FastifyInstance } from 'fastify'
import { recordings } from '../../contract/recordings.ts'
import { acceptRecording } from '../acts/acceptance.ts'
import { cutCrimp, toCutCrimp } from '../acts/cut-crimp.ts'
import { bind } from '../http/bind.ts'
import type { Context } from '../panel.ts'

export function recordingRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, recordings.createCutCrimp, ({ body }, call) =>
    acceptRecording(cutCrimp, toCutCrimp(body, call), call),
  )
}
