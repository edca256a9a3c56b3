import { useMutation, useQueryClient } from '@tanstack/react-query'
import { downloadMutation } from './download-log.ts'

/** Saves one log as a file, by its id. */
export const useDownload = () => useMutation(downloadMutation(useQueryClient())).mutate
