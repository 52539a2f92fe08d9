import { column, index, type Step } from './steps.ts'

/**
 * Whom a call is for, what about, and which act it follows. A server of the version before writes no team: what it opens is
 * for maintenance. An act has no foreign key: its call may come before it.
 */
export const teamsOfCalls: Record<string, Step> = {
  maintenance_calls_team: column(
    'team',
    'maintenance_calls',
    (c) => c.key(16),
    (added) => added.notNull().defaultTo('manutencao'),
  ),
  maintenance_calls_topic: column(
    'topic',
    'maintenance_calls',
    (c) => c.key(32),
    (added) => added.notNull().defaultTo(''),
  ),
  maintenance_calls_act_id: column('act_id', 'maintenance_calls', (c) => c.key(36)),
  maintenance_calls_act: index('maintenance_calls_act', 'maintenance_calls', 'act_id'),
  maintenance_call_joins_act_id: column('act_id', 'maintenance_call_joins', (c) => c.key(36)),
  maintenance_call_joins_act: index('maintenance_call_joins_act', 'maintenance_call_joins', 'act_id'),
}
