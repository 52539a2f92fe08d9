import { dayText } from '../../../../domain/plant/plant-time.ts'

/** '2.1.0-426d119, de 26/11/2026'. A server of the version before says no day. */
export const programText = (version: string, day: string | null | undefined): string =>
  day ? `${version}, de ${dayText(day)}` : version
