import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { sayingName } from './names.ts'
import { capabilityNamings, planApprovals, planModes, Settings } from './settings.ts'
import { BranchCode, callTeams, Role, roles } from './values.ts'

export const PLANT_LABEL_LENGTH_MAX = 60
const PLANTS_MAX = 50

/** Apart from what every page loads first: administrators alone send it. */
export const settingsChanges = {
  /** A setting left out stays as it is. */
  change: endpoint({
    method: 'PUT',
    path: '/api/configuracao',
    summary:
      'Muda nomes das filiais, o aviso antes do limite, quem pode zerar e mudar limites, o que se faz fora do plano de controle, se planos são aprovados e quem se chama, em todos os dispositivos',
    access: 'administer',
    confirmed: true,
    body: z.strictObject({
      plants: z.optional(
        z
          .array(z.strictObject({ code: BranchCode, label: sayingName(PLANT_LABEL_LENGTH_MAX) }))
          .check(z.minLength(1), z.maxLength(PLANTS_MAX)),
      ),
      limitWarningPercent: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
      limitRoles: z.optional(z.array(Role).check(z.minLength(1), z.maxLength(roles.length))),
      capabilityNames: z.optional(z.enum(capabilityNamings)),
      planMode: z.optional(z.enum(planModes)),
      planApproval: z.optional(z.enum(planApprovals)),
      instrumentMode: z.optional(z.enum(planModes)),
      /** A team left out is not called. */
      callTeams: z.optional(z.array(z.enum(callTeams)).check(z.minLength(1), z.maxLength(callTeams.length))),
    }),
    reply: Settings,
    refusals: ['unknown_plant', 'plant_labels_alike'],
  }),
}
