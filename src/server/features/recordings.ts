import type { FastifyInstance } from 'fastify'
import { recordings } from '../../contract/recordings.ts'
import { bind } from '../http/bind.ts'
import type { Context } from '../panel.ts'
import { accept } from '../recording/acceptance.ts'
import { cutCrimp, toCutCrimp } from '../recording/cut-crimp.ts'

export function recordingRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, recordings.createCutCrimp, ({ body }, call) => accept(cutCrimp, toCutCrimp(body, call), call))
}
