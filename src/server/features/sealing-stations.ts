import type { FastifyInstance } from 'fastify'
import { sealingStations } from '../../contract/sealing-stations.ts'
import { bind } from '../http/bind.ts'
import type { Context } from '../panel.ts'
import {
  deleteSealingStation,
  findSealingStation,
  insertSealingStation,
  listSealingStations,
  updateSealingStation,
} from '../store/sealing-stations.ts'
import { pairHandlers } from './pairs.ts'

const handlers = pairHandlers({
  kind: 'sealing_station',
  changesOf: (id) => [{ topic: 'sealing-stations', key: String(id) }],
  list: listSealingStations,
  find: findSealingStation,
  insert: insertSealingStation,
  update: updateSealingStation,
  delete: deleteSealingStation,
})

export function sealingStationRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, sealingStations.list, (_, { db }) => listSealingStations(db.read))
  bind(app, context, sealingStations.listBySeal, ({ params }, { db }) => listSealingStations(db.read, params))
  bind(app, context, sealingStations.get, handlers.get)
  bind(app, context, sealingStations.create, handlers.create)
  bind(app, context, sealingStations.update, handlers.update)
  bind(app, context, sealingStations.delete, handlers.delete)
}
