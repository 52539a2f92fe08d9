import type { FastifyInstance } from 'fastify'
import { sealingStations } from '../../contract/sealing-stations.ts'
import type { Context } from '../context.ts'
import { bind } from '../http.ts'
import { listSealingStations } from '../store/sealing-stations.ts'

export function sealingStationRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, sealingStations.list, (_, { db }) => listSealingStations(db.read))
  bind(app, context, sealingStations.listBySeal, ({ params }, { db }) => listSealingStations(db.read, params))
}
