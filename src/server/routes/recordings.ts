import type { FastifyInstance } from 'fastify'
import { recordings } from '../../contract/recordings.ts'
import { accept } from '../acceptance.ts'
import type { Context } from '../context.ts'
import { cutCrimp, toCutCrimp } from '../cut-crimp.ts'
import { bind } from '../http.ts'

export function recordingRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, recordings.createCutCrimp, ({ body }, call) => accept(cutCrimp, toCutCrimp(body, call), call))
}
