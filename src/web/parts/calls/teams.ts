import type { CallTeam } from '../../../contract/values.ts'
import { useSettings } from '../settings.ts'

/** Teams that may be called here just now; maintenance alone while a server of the plant knows no other. */
export const useCallTeams = (): readonly CallTeam[] => useSettings().callTeams ?? ['manutencao']
